//! All tests of the crate's two sides in one program, which is linked once and starts one world.
#[macro_use]
mod support;
mod tools_support;

mod connections_service;
mod secrets_in_logs;
mod toolkit_functions;
mod toolkit_service;
mod toolkit_socket;
mod toolkit_tls;
mod toolkit_vectors;
mod tools_approvals;
mod tools_ask;
mod tools_code;
mod tools_connections;
mod tools_examples;
mod tools_http;
mod tools_service;
mod tools_usage;
mod tools_vectors;
