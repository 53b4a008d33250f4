/** The pages of the catalogue: HTML for visitors and search engines, readable without JavaScript. docs/catalogue.md. */
export { CatalogueReader } from './catalogue-reader';
export { type CataloguePage, catalogueMessage, signInPage, toCatalogueDocument, type Visit } from './document';
export { CATALOGUE_STYLE_HASH } from './page-style';
export { isPart } from './toolkit-page';
