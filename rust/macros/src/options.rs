//! The options of the attribute: `#[action(name = "today", read_only, destructive = false)]`.
use proc_macro2::TokenStream;
use syn::{Expr, LitBool, LitStr, Token, meta::ParseNestedMeta, parse::Parser};

#[derive(Default)]
pub(crate) struct Options {
    pub(crate) name: Option<LitStr>,
    pub(crate) read_only: Option<LitBool>,
    pub(crate) destructive: Option<LitBool>,
    pub(crate) idempotent: Option<LitBool>,
    pub(crate) open_world: Option<LitBool>,
    pub(crate) result: bool,
    pub(crate) long: bool,
    pub(crate) payment: Option<LitStr>,
    pub(crate) auth: Option<Expr>,
}

impl Options {
    pub(crate) fn read(tokens: TokenStream) -> syn::Result<Self> {
        let mut options = Self::default();
        syn::meta::parser(|option| options.set(&option)).parse2(tokens)?;
        Ok(options)
    }

    fn set(&mut self, option: &ParseNestedMeta<'_>) -> syn::Result<()> {
        match option.path.get_ident().map(ToString::to_string).as_deref() {
            Some("name") => self.name = Some(option.value()?.parse()?),
            Some("read_only") => self.read_only = Some(promise(option)?),
            Some("destructive") => self.destructive = Some(promise(option)?),
            Some("idempotent") => self.idempotent = Some(promise(option)?),
            Some("open_world") => self.open_world = Some(promise(option)?),
            Some("result") => self.result = true,
            Some("long") => self.long = true,
            Some("payment") => self.payment = Some(option.value()?.parse()?),
            Some("auth") => self.auth = Some(option.value()?.parse()?),
            _ => {
                return Err(option.error(
                    "an option of an action is name, read_only, destructive, idempotent, open_world, result, long, payment or auth",
                ));
            }
        }
        Ok(())
    }
}

/// `read_only` alone is `read_only = true`.
fn promise(option: &ParseNestedMeta<'_>) -> syn::Result<LitBool> {
    if option.input.peek(Token![=]) { option.value()?.parse() } else { Ok(LitBool::new(true, option.path.segments[0].ident.span())) }
}
