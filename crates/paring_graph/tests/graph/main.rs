//! The graph through its public face: pictures of flows, slices with their reasons, and what always holds.

mod flows;
mod handed;
mod notation;
mod picture;
mod properties;
mod resources;
mod slices;
