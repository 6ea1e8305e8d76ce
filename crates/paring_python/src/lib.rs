
pub mod frontend;
