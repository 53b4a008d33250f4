//! The type that takes the place of a function: a unit struct with its name, which implements `Action`.
use crate::{handler::Handler, options::Options};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{LitBool, LitStr, ext::IdentExt};

pub(crate) fn expand(options: TokenStream, function: TokenStream) -> syn::Result<TokenStream> {
    let options = Options::read(options)?;
    let Handler { mut function, description, arguments, payload, output } = Handler::read(syn::parse2(function)?)?;
    let (ident, visibility) = (function.sig.ident.clone(), function.vis.clone());
    let (outside, inside) = std::mem::take(&mut function.attrs)
        .into_iter()
        .partition::<Vec<_>, _>(|each| ["doc", "cfg", "deprecated"].iter().any(|name| each.path().is_ident(name)));
    function.attrs = inside;
    let name = options.name.unwrap_or_else(|| LitStr::new(&ident.unraw().to_string(), ident.span()));
    let args = payload.as_ref().map_or_else(|| quote!(()), |payload| quote!(#payload));
    let schema = payload.map(|payload| quote!(payload: ::svc_sdk::toolkit::schema_for::<#payload>(),));
    let payment = options.payment.map(|amount| quote!(payment: ::core::option::Option::Some(::svc_sdk::Payment::new(#amount)),));
    let result = options.result.then(|| {
        quote! {
            fn result(&self) -> ::svc_sdk::toolkit::macro_support::Value {
                ::svc_sdk::toolkit::schema_for_result::<Self::Output>()
            }
        }
    });
    let auth = options.auth.map(|auth| quote!(fn auth(&self) -> ::svc_sdk::toolkit::ActionAuth { #auth }));
    let long = options.long.then(|| {
        quote!(
            fn long(&self) -> bool {
                true
            }
        )
    });
    let promises = [
        promise("read_only", options.read_only),
        promise("destructive", options.destructive),
        promise("idempotent", options.idempotent),
        promise("open_world", options.open_world),
    ];
    Ok(quote! {
        #(#outside)*
        #[allow(non_camel_case_types)]
        #[derive(Debug, Clone, Copy)]
        #visibility struct #ident;

        impl ::svc_sdk::toolkit::Action for #ident {
            const NAME: &'static str = #name;
            type Error = <#output as ::svc_sdk::toolkit::macro_support::HandlerOutput>::Error;
            type Args = #args;
            type Output = <#output as ::svc_sdk::toolkit::macro_support::HandlerOutput>::Output;

            async fn definition(&self) -> ::svc_sdk::toolkit::ActionDefinition {
                ::svc_sdk::toolkit::ActionDefinition {
                    description: ::std::string::String::from(#description),
                    #schema
                    #payment
                    ..::core::default::Default::default()
                }
            }

            #result
            #auth
            #long

            fn annotations(&self) -> ::svc_sdk::toolkit::Annotations {
                ::svc_sdk::toolkit::Annotations { #(#promises)* ..::core::default::Default::default() }
            }

            async fn call(
                &self,
                _ctx: ::svc_sdk::toolkit::ActionContext,
                _params: ::svc_sdk::toolkit::ActionParams<Self::Args>,
            ) -> ::core::result::Result<::svc_sdk::toolkit::ActionResult<Self::Output>, Self::Error> {
                #function
                ::svc_sdk::toolkit::macro_support::HandlerOutput::into_result(#ident(#(#arguments),*).await)
            }
        }
    })
}

fn promise(name: &str, value: Option<LitBool>) -> Option<TokenStream> {
    let value = value?;
    let name = syn::Ident::new(name, value.span());
    Some(quote!(#name: ::core::option::Option::Some(#value),))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(options: TokenStream, function: TokenStream) -> String {
        expand(options, function).unwrap_err().to_string()
    }

    #[test]
    fn a_function_that_is_no_action_is_an_error_with_the_correction() {
        let cases = [
            (
                quote!(
                    /** A */
                    fn a() -> R {}
                ),
                "an action is an async fn",
            ),
            (
                quote!(
                    async fn a() -> R {}
                ),
                "write a doc comment above the function",
            ),
            (
                quote!(
                    /** A */
                    async fn a() {}
                ),
                "an action returns a Result",
            ),
            (
                quote!(
                    /** A */
                    async fn a<T>(t: T) -> R {}
                ),
                "no type parameters",
            ),
            (
                quote!(
                    /** A */
                    async fn a(&self) -> R {}
                ),
                "implements the trait Action",
            ),
            (
                quote!(
                    /** A */
                    async fn a(city: String, days: u8) -> R {}
                ),
                "one payload: a struct",
            ),
            (
                quote!(
                    /** A */
                    async fn a(ctx: ActionContext, more: ActionContext) -> R {}
                ),
                "one ActionContext",
            ),
        ];
        for (function, words) in cases {
            let problem = problem(quote!(), function);
            assert!(problem.contains(words), "{problem}");
        }
        assert!(
            problem(
                quote!(readonly),
                quote!(
                    /** A */
                    async fn a() -> R {}
                )
            )
            .starts_with("an option of an action is name, read_only")
        );
    }

    #[test]
    fn an_action_has_the_name_and_the_description_of_its_function() {
        let function = quote! {
            /// Today's weather
            ///
            /// In a city
            pub(crate) async fn r#today() -> R {}
        };
        let text = expand(quote!(), function).unwrap().to_string();
        assert!(text.contains(r#"const NAME : & 'static str = "today""#), "{text}");
        assert!(text.contains(r#"from ("Today's weather\n\nIn a city")"#), "{text}");
        assert!(text.contains("pub (crate) struct r#today"), "{text}");
    }
}
