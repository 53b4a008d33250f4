/** The pages of people who connect accounts: HTML without a script. Texts of toolkits, keys and providers are escaped. */
import { html, raw } from 'hono/html';
import type { PageState, ShownOwner, ShownToolkit } from './link-page';
import { STYLE } from './page-style';
import { returnAddress } from './return-address';

type Html = ReturnType<typeof html>;

export interface HtmlPage {
  status: 200 | 400 | 403 | 404 | 409 | 503;
  title: string;
  body: Html;
  /** Where the forms of the page may lead, besides this service. */
  leadsTo?: readonly string[];
}

export function toDocument({ title, body }: HtmlPage): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${raw(STYLE)}</style>
</head>
<body><main>${body}</main></body>
</html>`;
}

/** A page without a form. */
export function messagePage(status: HtmlPage['status'], title: string, ...paragraphs: string[]): HtmlPage {
  return { status, title, body: html`<section><h1>${title}</h1>${paragraphs.map((text) => html`<p>${text}</p>`)}</section>` };
}

/** @param state of a link that this browser may not use */
export function refusalPage(state: Exclude<PageState, { kind: 'open' | 'sign in' }>, signInUrl: string): HtmlPage {
  switch (state.kind) {
    case 'gone':
      return messagePage(
        404,
        'This link does not work any more',
        'It is for one use and for a few minutes. Go back to the place where you got it, and ask for a new link there.',
      );
    case 'other browser':
      return messagePage(
        403,
        'This link was opened in another browser',
        'Go on there. If that was not you, ask for a new link in the place where you got this one: another person has it.',
      );
    case 'other person':
      return {
        status: 403,
        title: 'This link is for another account',
        body: html`<section><h1>This link is for another account</h1>
<p>The account to connect is for ${ownerText(state.owner)}.${state.signedInAs === undefined ? '' : ` You are signed in as ${state.signedInAs}, who may not connect it.`}</p>
<p>Give the link to that person, or <a href="${signInUrl}">sign in with another account</a>.</p></section>`,
      };
  }
}

export const unknownReturnPage: HtmlPage = messagePage(
  404,
  'This step is over',
  'This browser is not connecting an account now, or took longer than 10 minutes. Nothing was changed.',
  'Go back to the place where you got the link, and open it again or ask for a new one.',
);

export interface OpenPageDetails {
  action: string;
  /** Why the last try failed. */
  problem?: string | undefined;
  /** The toolkit of that try. */
  toolkit?: string | undefined;
}

export function openPage({ owner, toolkits }: Extract<PageState, { kind: 'open' }>, details: OpenPageDetails): HtmlPage {
  const [first] = toolkits;
  const title = toolkits.length === 1 && first ? `Connect ${first.name}` : 'Connect accounts';
  const sections = toolkits.map((toolkit) => toolkitSection(toolkit, owner, details));
  const app = owner.kind === 'user' && owner.returnUrl !== undefined ? [new URL(owner.returnUrl).origin] : [];
  // The provider may send the browser on to the sign-in of a company, and browsers check each address of that way.
  const providers = toolkits.some(({ provider }) => provider !== undefined)
    ? ['https:', ...toolkits.flatMap(({ providerOrigin }) => providerOrigin ?? [])]
    : [];
  return {
    status: details.problem === undefined ? 200 : 400,
    title,
    leadsTo: [...new Set([...app, ...providers])],
    body: html`<h1>${title}</h1><p>${purpose(owner)}</p>${sections}
<p class="dim">Did another person send you this link? Then close this page: the account that you connect would serve that person.</p>`,
  };
}

function toolkitSection(toolkit: ShownToolkit, owner: ShownOwner, { action, ...tried }: OpenPageDetails): Html {
  const { id, name, people, scopes, help, provider, step } = toolkit;
  const problem = tried.toolkit === id ? tried.problem : step.kind === 'open' ? step.problem : undefined;
  return html`<section><h2>${name}</h2>
<dl>
<dt>Toolkit</dt><dd>${id}</dd>
<dt>Run by</dt><dd>${people.length > 0 ? people.join(', ') : 'the operator of this service'}</dd>
${provider === undefined ? '' : html`<dt>Provider</dt><dd>${provider}</dd>`}
${scopes.length === 0 ? '' : html`<dt>Access</dt><dd>${scopes.join('\n')}</dd>`}
${help === undefined ? '' : html`<dt>Needed</dt><dd>${help}</dd>`}
</dl>
${problem === undefined ? '' : html`<p class="bad" role="alert">${problem}</p>`}
${stepOf(toolkit, owner, action)}</section>`;
}

function stepOf(toolkit: ShownToolkit, owner: ShownOwner, action: string): Html {
  const { step, name } = toolkit;
  switch (step.kind) {
    case 'open':
      return html`${form(toolkit, action)}<p class="dim">The process of this toolkit sees the access of the account during each call. Connect it only if you trust who runs it.</p>`;
    case 'started':
      return html`<p>You were sent to the provider, and did not come back yet. Go on in that window, or begin again.</p>${form(toolkit, action)}`;
    case 'checking':
      return html`<p>The account is being checked. <a href="${action}">Load this page again</a>.</p>`;
    case 'awaiting':
      return awaiting(step, owner, toolkit);
    case 'done':
      return html`<p class="good">Connected${step.account === '' ? '' : ` as ${step.account}`}.</p><p>You can close this page, and go on where you were.</p>`;
    case 'ended':
      return html`<p class="bad">This connection was ended: it was confirmed for another user, or with wrong codes. The access to ${name} is not used.</p><p>Ask for a new link in the place where you got this one.</p>`;
  }
}

function awaiting({ code, account }: { code: string; account: string }, owner: ShownOwner, { id }: ShownToolkit): Html {
  const as = account === '' ? '' : ` as ${account}`;
  if (owner.kind !== 'user') return html`<p class="good">Connected${as}.</p>`;
  if (owner.returnUrl !== undefined) {
    const back = returnAddress(owner.returnUrl, { code, toolkit: id });
    return html`<p class="good">Connected${as}.</p><p>One step is left: go back to ${owner.appName}.</p><a class="button" href="${back}">Back to ${owner.appName}</a>`;
  }
  return html`<p class="good">Connected${as}.</p><p>One step is left: give this code to ${owner.appName}, in the conversation in which you got the link. It works for 10 minutes.</p>
<p class="code">${code}</p>
<p class="dim">Do not give the code to another person: it lets that person use the account.</p>`;
}

function form({ id, name, provider, fields }: ShownToolkit, action: string): Html {
  const inputs = fields.map(
    (field) =>
      html`<label>${field.label}<input name="${field.name}" type="${field.isSecret ? 'password' : 'text'}" autocomplete="off" autocapitalize="none" spellcheck="false" required maxlength="8192"></label>`,
  );
  return html`<form method="post" action="${action}"><input type="hidden" name="toolkit" value="${id}">${inputs}<button type="submit">${provider === undefined ? `Connect ${name}` : `Continue to ${provider}`}</button></form>`;
}

function purpose(owner: ShownOwner): Html {
  switch (owner.kind) {
    case 'everyone':
      return html`Every caller of this service will act with the account that you connect here.`;
    case 'agent':
      return html`All calls of the agent key <strong>${owner.keyName}</strong> will act with the account that you connect here.`;
    case 'user':
      return html`<strong>${owner.appName}</strong> will act with the account that you connect here, for its user <strong>${owner.userId}</strong>.`;
    case 'person':
      return html`Your own apps will act with the account that you connect here, for you alone: <strong>${owner.name}</strong>.`;
  }
}

function ownerText(owner: ShownOwner): string {
  switch (owner.kind) {
    case 'everyone':
      return 'all callers of this service, so an owner of the service or of the toolkit connects it';
    case 'agent':
      return `the agent key ${owner.keyName}, so its owner connects it`;
    case 'user':
      return `a user of ${owner.appName}`;
    case 'person':
      return owner.name;
  }
}
