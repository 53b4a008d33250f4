//! Shared parts of the tests of toolkits.
#[macro_use]
pub mod action;
pub mod connect_page;
pub mod connections_toolkit;
pub mod example;
pub mod fixture_toolkit;
pub mod matching;
pub mod more_actions;
pub mod repository;
pub mod service;
pub mod socket_service;
pub mod waiting;
