/** The style of the connect page. The page's policy names its hash, so no other style applies. */
import { createHash } from 'node:crypto';

export const STYLE = `
:root { color-scheme: light dark; --page: #f4f5f7; --card: #ffffff; --text: #1b1f24; --dim: #57606a; --line: #d0d7de; --accent: #1864ab; --on-accent: #ffffff; --bad: #a61e1e; --good: #1e6b34; }
@media (prefers-color-scheme: dark) { :root { --page: #14171a; --card: #1d2125; --text: #e6e8ea; --dim: #a2aab2; --line: #3a4148; --accent: #74b7f2; --on-accent: #0b1a27; --bad: #ff9d9d; --good: #7ed79a; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 34rem; margin: 0 auto; padding: 2rem 1rem 3rem; }
h1 { font-size: 1.4rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.1rem; margin: 0 0 .5rem; }
section { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1.25rem; margin-top: 1rem; }
p { margin: .5rem 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1rem; margin: .75rem 0; }
dt { color: var(--dim); }
dd { margin: 0; white-space: pre-line; }
label { display: block; font-weight: 600; margin-top: .75rem; }
input { width: 100%; margin-top: .25rem; padding: .6rem .7rem; font: inherit; font-weight: 400; color: inherit; background: var(--page); border: 1px solid var(--line); border-radius: .5rem; }
button, a.button { display: block; width: 100%; margin-top: 1rem; padding: .7rem 1rem; font: inherit; font-weight: 600; text-align: center; text-decoration: none; color: var(--on-accent); background: var(--accent); border: 0; border-radius: .5rem; cursor: pointer; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.dim { color: var(--dim); font-size: .9rem; }
.bad { color: var(--bad); font-weight: 600; }
.good { color: var(--good); font-weight: 600; }
.code { font: 600 1.75rem/1.3 ui-monospace, monospace; letter-spacing: .08em; text-align: center; padding: .75rem; margin: .75rem 0; border: 1px dashed var(--line); border-radius: .5rem; user-select: all; }
@media (max-width: 26rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; } }
`;

export const STYLE_HASH = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;
