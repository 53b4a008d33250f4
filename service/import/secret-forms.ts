/** The encodings of a value in a text: plain, escaped in JSON, in a URL, in base64, also within a longer base64. */
import { Buffer } from 'node:buffer';

/** Each form once, the value first. */
export function secretForms(value: string): string[] {
  const forms = [value, ...jsonForms(value), ...urlForms(value), ...base64Forms(value)];
  return [...new Set(forms)];
}

/** Some programs escape all characters outside ASCII, and some escape each slash. */
function jsonForms(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const ascii = json.replace(/[^\0-\x7f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return [json, ascii].flatMap((text) => [text, text.replaceAll('/', '\\/')]);
}

function urlForms(value: string): string[] {
  const component = encodeURIComponent(value.toWellFormed());
  const strict = component.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  const encoded = [component, strict, new URLSearchParams([['', value]]).toString().slice(1)];
  return encoded.flatMap((text) => [text, text.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase())]);
}

/** A value may begin at any of three positions in a group of four characters. Its end characters depend on their neighbours, so they are left out. */
function base64Forms(value: string): string[] {
  const bytes = Buffer.from(value);
  const whole = bytes.toString('base64');
  const parts = [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return encoded.slice(before === 0 ? 0 : before + 1, Math.floor(((before + bytes.length) * 8) / 6));
  });
  return [whole, ...parts].flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]);
}
