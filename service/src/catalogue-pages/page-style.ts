/** The style of the catalogue. The policy of its pages names the hash, so no other style applies. */
import { createHash } from 'node:crypto';

/** Number of colours of letter marks. */
export const MARK_COLOURS = 6;

export const CATALOGUE_STYLE = `
:root { color-scheme: light dark; --page: #f6f7f9; --card: #ffffff; --text: #1b1f24; --dim: #57606a; --line: #d0d7de; --accent: #0c7a6b; --on-accent: #ffffff; --soft: #e6f7f4; --good: #1e6b34; --bad: #a61e1e; --code: #f0f2f5; --m0: #1864ab; --m1: #2b6b3f; --m2: #8a3b12; --m3: #6b3fa0; --m4: #9c2c5b; --m5: #0b6a70; }
@media (prefers-color-scheme: dark) { :root { --page: #14171a; --card: #1d2125; --text: #e6e8ea; --dim: #a2aab2; --line: #3a4148; --accent: #6bc4b6; --on-accent: #06211c; --soft: #143b34; --good: #7ed79a; --bad: #ff9d9d; --code: #14181c; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
a { color: var(--accent); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: .25rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0; }
h2 { font-size: 1.2rem; line-height: 1.3; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 0; }
p { margin: .5rem 0; }
ul.plain { list-style: none; margin: 0; padding: 0; }
header.site, main, footer.site { max-width: 72rem; margin: 0 auto; padding: 0 1rem; }
header.site { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: center; justify-content: space-between; padding-top: 1rem; padding-bottom: 1rem; }
header.site a { display: inline-block; padding: .25rem 0; }
header.site .brand { font-weight: 700; color: inherit; text-decoration: none; }
header.site nav { display: flex; flex-wrap: wrap; gap: 1.25rem; }
main { padding-top: 1rem; padding-bottom: 4rem; }
footer.site { padding-top: 1rem; padding-bottom: 2rem; color: var(--dim); font-size: .875rem; border-top: 1px solid var(--line); }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--card); padding: .5rem 1rem; z-index: 1; }
.lead { color: var(--dim); max-width: 44rem; }
.dim { color: var(--dim); }
.small { font-size: .875rem; }
.good { color: var(--good); }
.bad { color: var(--bad); }
.search { display: flex; gap: .5rem; margin: 1.25rem 0 1rem; max-width: 44rem; }
.search input { flex: 1; min-width: 0; padding: .65rem .8rem; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
.button, .search button { display: inline-block; padding: .65rem 1.1rem; font: inherit; font-weight: 600; color: var(--on-accent); background: var(--accent); border: 0; border-radius: .5rem; text-decoration: none; cursor: pointer; }
.button.second { color: var(--accent); background: var(--soft); }
.buttons { display: flex; flex-wrap: wrap; gap: .5rem; margin: .75rem 0; }
.chips { display: flex; flex-wrap: wrap; gap: .5rem; margin: 0 0 .75rem; padding: 0; list-style: none; }
.chips a, .badge { display: inline-block; padding: .2rem .75rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--card); color: inherit; text-decoration: none; font-size: .9rem; line-height: 1.6; }
.chips a[aria-current] { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.badge { padding: 0 .6rem; font-size: .8rem; color: var(--dim); }
.badge.good { color: var(--good); border-color: currentColor; }
.badges { display: flex; flex-wrap: wrap; gap: .35rem; margin: .35rem 0; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); gap: 1rem; list-style: none; margin: 1rem 0; padding: 0; }
.card { display: flex; flex-direction: column; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1rem; height: 100%; position: relative; }
.card h2, .card h3 { font-size: 1.05rem; margin: 0; }
.card h2 a { color: inherit; text-decoration: none; }
.card h2 a::after { content: ''; position: absolute; inset: 0; border-radius: .75rem; }
.card h2 a:hover { text-decoration: underline; }
.card p { flex: 1; }
.head { display: flex; gap: .75rem; align-items: center; }
.head > div { min-width: 0; }
.mark { flex: none; width: 2.75rem; height: 2.75rem; border-radius: .6rem; object-fit: contain; display: grid; place-items: center; font-weight: 700; font-size: 1.25rem; color: #ffffff; }
img.mark { background: #ffffff; }
.big .mark { width: 4rem; height: 4rem; font-size: 1.75rem; }
.m0 { background: var(--m0); } .m1 { background: var(--m1); } .m2 { background: var(--m2); } .m3 { background: var(--m3); } .m4 { background: var(--m4); } .m5 { background: var(--m5); }
.figures { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); gap: .5rem .75rem; margin: .75rem 0 0; max-width: 36rem; }
@media (max-width: 22rem) { .figures { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
.figures div { display: flex; flex-direction: column-reverse; }
.figures dt { color: var(--dim); font-size: .8rem; }
.figures dd { margin: 0; font-weight: 600; font-variant-numeric: tabular-nums; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1.25rem; margin: 1rem 0; }
.facts dt { color: var(--dim); }
.facts dd { margin: 0; }
@media (max-width: 30rem) { .facts { grid-template-columns: 1fr; gap: 0; } .facts dd { margin-bottom: .5rem; } }
.tabs { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 1.5rem 0 1rem; border-bottom: 1px solid var(--line); }
.tabs a { padding: .5rem 0; color: inherit; text-decoration: none; border-bottom: 3px solid transparent; margin-bottom: -1px; }
.tabs a[aria-current] { border-color: var(--accent); font-weight: 600; }
.panel { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1rem; margin: 1rem 0; }
pre { background: var(--code); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem; margin: .5rem 0; white-space: pre-wrap; font: .875rem/1.5 ui-monospace, monospace; }
code { font: .9em ui-monospace, monospace; }
:not(pre) > code { background: var(--code); border-radius: .25rem; padding: .1em .3em; }
.signature { font-weight: 600; }
.readme { max-width: 48rem; }
.readme img { max-width: 100%; }
.readme blockquote { margin: .5rem 0; padding-left: 1rem; border-left: 3px solid var(--line); color: var(--dim); }
.scroll, .readme table { overflow-x: auto; }
.readme table { display: block; max-width: 100%; }
.readme th, .readme td { min-width: 5rem; }
table { border-collapse: collapse; }
th, td { text-align: start; padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td.number, th.number { text-align: end; font-variant-numeric: tabular-nums; }
svg { display: block; width: 100%; height: auto; margin: .25rem 0 1.25rem; }
svg .up { fill: var(--good); } svg .part { fill: #b7791f; } svg .down { fill: var(--bad); } svg .none { fill: var(--line); } svg .bar { fill: var(--accent); }
ins { color: var(--good); text-decoration: none; } del { color: var(--bad); text-decoration: none; }
.pages { display: flex; gap: 1.5rem; margin: 1.5rem 0; }
summary { cursor: pointer; padding: .25rem 0; }
`;

export const CATALOGUE_STYLE_HASH = `'sha256-${createHash('sha256').update(CATALOGUE_STYLE).digest('base64')}'`;
