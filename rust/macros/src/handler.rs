//! The parts of a function that is an action: its description, its parameters, what it returns.
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Attribute, Error, Expr, ExprLit, FnArg, ItemFn, Lit, Meta, ReturnType, Type};

pub(crate) struct Handler {
    pub(crate) function: ItemFn,
    pub(crate) description: String,
    /// The arguments of its call, in their order.
    pub(crate) arguments: Vec<TokenStream>,
    pub(crate) payload: Option<Type>,
    pub(crate) output: Type,
}

impl Handler {
    pub(crate) fn read(function: ItemFn) -> syn::Result<Self> {
        let signature = &function.sig;
        if signature.asyncness.is_none() {
            return Err(Error::new_spanned(signature.fn_token, "an action is an async fn"));
        }
        if !signature.generics.params.is_empty() {
            return Err(Error::new_spanned(&signature.generics, "an action has no type parameters and lifetimes"));
        }
        let description = description_of(&function.attrs);
        if description.is_empty() {
            let message = "write a doc comment above the function: models choose an action by its description";
            return Err(Error::new_spanned(&signature.ident, message));
        }
        let ReturnType::Type(_, output) = &signature.output else {
            return Err(Error::new_spanned(&signature.ident, "an action returns a Result, such as Result<String, ActionError>"));
        };
        let output = output.as_ref().clone();
        let (arguments, payload) = read_parameters(&function)?;
        Ok(Self { description, arguments, payload, output, function })
    }
}

fn read_parameters(function: &ItemFn) -> syn::Result<(Vec<TokenStream>, Option<Type>)> {
    let (mut arguments, mut payload) = (Vec::new(), None);
    for parameter in &function.sig.inputs {
        let FnArg::Typed(parameter) = parameter else {
            return Err(Error::new_spanned(parameter, "an action with state implements the trait Action"));
        };
        if is_context(&parameter.ty) {
            arguments.push(quote!(_ctx));
            continue;
        }
        if payload.replace(parameter.ty.as_ref().clone()).is_some() {
            return Err(Error::new_spanned(parameter, "an action has one payload: a struct whose fields are its parameters"));
        }
        arguments.push(quote!(_params.payload));
    }
    if arguments.len() > 1 && payload.is_none() {
        return Err(Error::new(Span::call_site(), "an action has one ActionContext"));
    }
    Ok((arguments, payload))
}

fn is_context(parameter: &Type) -> bool {
    matches!(parameter, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "ActionContext"))
}

/// The text of the doc comment, without the space at the beginning of each line.
fn description_of(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(doc_line);
    let lines: Vec<String> = lines.map(|line| line.strip_prefix(' ').unwrap_or(&line).trim_end().to_owned()).collect();
    lines.join("\n").trim().to_owned()
}

fn doc_line(attribute: &Attribute) -> Option<String> {
    match &attribute.meta {
        Meta::NameValue(doc) if doc.path.is_ident("doc") => match &doc.value {
            Expr::Lit(ExprLit { lit: Lit::Str(line), .. }) => Some(line.value()),
            text => Some(text.to_token_stream().to_string()),
        },
        _ => None,
    }
}
