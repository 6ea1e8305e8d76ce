//! Cases of the front end as data: a source, a target, what is asked of it.
