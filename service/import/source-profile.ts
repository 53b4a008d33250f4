/**
 * The words of a source about itself, for people: the version, homepage and icon of its toolkit. Models read none of it, so it is in no pin.
 *
 * Errors: none. A member that a toolkit may not have is left out.
 */
import { readableText } from '#sdk/protocol/invisible-text';
import { isObject, type JsonObject } from '#sdk/protocol/json-object';
import { type ProfileMember, profileProblem } from '#sdk/protocol/toolkit-profile';
import { isPublicUrl } from './openapi/base-url';

export interface SourceProfile {
  version?: string;
  homepage?: string;
  /** Data URLs and addresses of pictures, the best first. */
  icons: readonly string[];
}

/** More addresses would delay the start of a program that ends. */
const MAX_ICONS = 3;

/** Reads the profile of an OpenAPI document: `info.version`, `externalDocs` or `info.contact`, and `x-logo` of Redoc. */
export function documentProfile({ info, externalDocs }: JsonObject): SourceProfile {
  const { version, contact, 'x-logo': logo } = isObject(info) ? info : {};
  const homepages = [externalDocs, contact].map(urlOf);
  return { ...profileOf(version, homepages), icons: iconsOf([{ src: urlOf(logo) }]) };
}

/** @param info `serverInfo` of an MCP server */
export function serverProfile({ version, websiteUrl, icons }: JsonObject): SourceProfile {
  return { ...profileOf(version, [websiteUrl]), icons: iconsOf(Array.isArray(icons) ? icons : []) };
}

function profileOf(version: unknown, homepages: readonly unknown[]): Omit<SourceProfile, 'icons'> {
  // A version such as 1.0 of a document in YAML is a number.
  const text = readableText(typeof version === 'string' || typeof version === 'number' ? String(version) : '').trim();
  const homepage = homepages.find((url): url is string => typeof url === 'string' && isAllowed('homepage', url));
  return { ...(isAllowed('version', text) && { version: text }), ...(homepage !== undefined && { homepage }) };
}

function iconsOf(icons: readonly unknown[]): string[] {
  const found = icons.filter(isObject).flatMap(({ src, mimeType }) => {
    if (typeof src !== 'string' || mimeType === 'image/svg+xml' || /\.svg(?:[?#]|$)/i.test(src)) return [];
    const url = src.startsWith('data:') ? undefined : URL.parse(src);
    return (url === undefined ? isAllowed('icon', src) : url && isPublicUrl(url)) ? [src] : [];
  });
  // A data URL needs no request.
  return [...found.filter((src) => src.startsWith('data:')), ...found.filter((src) => !src.startsWith('data:'))].slice(0, MAX_ICONS);
}

function isAllowed(member: ProfileMember, text: string): boolean {
  return profileProblem(member, text) === undefined;
}

function urlOf(value: unknown): unknown {
  return isObject(value) ? value.url : undefined;
}
