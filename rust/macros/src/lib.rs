//! The attribute macro of the crate svc-sdk, in its feature `macros`, where it is documented: `svc_sdk::toolkit::action`.
mod expand;
mod handler;
mod options;

use proc_macro::TokenStream;

#[proc_macro_attribute]
pub fn action(options: TokenStream, function: TokenStream) -> TokenStream {
    expand::expand(options.into(), function.into()).unwrap_or_else(syn::Error::into_compile_error).into()
}
