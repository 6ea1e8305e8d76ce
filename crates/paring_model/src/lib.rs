//! The nouns of paring and its ports, and no logic beyond what keeps the nouns consistent.
//!
//! Modules stand in pipeline order: a [`TargetSpec`] is parsed into a [`Unit`], a run adds [`Facts`], a
//! strategy writes a [`Draft`], the front end renders it as a [`Candidate`], the runner turns that into an
//! [`Observation`]. What an observation means ([`Verdict`]) is for the engine to say.

pub mod calls;
pub mod candidate;
pub mod coverage;
pub mod digest;
pub mod draft;
pub mod error;
pub mod event;
pub mod facts;
pub mod kept;
pub mod literal;
pub mod mutant;
pub mod number;
pub mod observation;
pub mod outline;
pub mod port;
pub mod resource;
pub mod survey;
pub mod table;
pub mod target;
pub mod text;
pub mod unit;
pub mod verdict;
pub mod version;
pub mod watch;
pub mod working;
pub mod write;

pub use calls::{CallFact, Called, Calls, Fact, Fingerprint, Follower};
pub use candidate::{Candidate, Form, Target, next_random};
pub use coverage::{
    CodeLine, Constant, Coverage, Covered, CoveredTest, FunctionSpan, Given, Heard, NameScope, RanIn,
    RawTest, SourceFile, Taken,
};
pub use digest::digest;
pub use draft::{
    Body, Case, Cases, Composed, Draft, EditSet, Name, Param, Piece, Reach, Rounds, StmtSet, TestDraft,
    TrimSet,
};
pub use error::{ErrorCode, RunnerError};
pub use event::Event;
pub use facts::{Facts, Transfer};
pub use kept::{Earlier, KeptTest, KeptUnit, Known, Part, Spectra, Stamp, Turned, Unkept};
pub use literal::{Literal, LiteralKind};
pub use mutant::{CodeText, Mutant, Operator};
pub use number::smaller_numbers;
pub use observation::{BrokenKind, Exception, Failure, FailureKind, Frame, Observation, Phase, Position};
pub use outline::{Outline, When};
pub use port::{Clock, Frontend, Grain, Heat, Job, Journal, NoJournal, NoRunner, Runner, Unused, Version};
pub use resource::{How, Resource, ResourceId, Resources, Touch};
pub use survey::{
    Atom, AtomKind, Beginning, Framework, Headed, Hint, Joint, LiteralShape, Merger, Refusal, Remark,
    RemarkAt, Rest, Row, RowParam, Rows, SetUp, Shape, Step, Survey,
};
pub use table::Table;
pub use target::TargetSpec;
pub use text::{TextRange, Token, TokenKind};
pub use unit::{
    Call, CallResult, Op, Place, PlaceId, PlaceScope, Problem, Routine, RoutineId, RoutineKind, Stmt, StmtId,
    StmtKind, Trim, TrimId, TrimKind, Unit,
};
pub use verdict::{Difference, Verdict};
pub use version::{Tried, VersionName, Versions};
pub use watch::{Listening, LogTemplate, Watch, Watched};
pub use working::{Pinned, WorkingText};
pub use write::{LineMap, OtherCases, Spot, TestText, TestWriter, Unwritable, Written, write};
