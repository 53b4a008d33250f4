/** `--allowed-origin`, of `serve` and `dev`. */
import { Option } from 'commander';
import { notEmpty } from '#sdk/cli/options';

const VARIABLE = 'SVC_ALLOWED_ORIGINS';
const checked = notEmpty(VARIABLE);

export function allowedOriginOption(): Option {
  return new Option(
    '--allowed-origin <origin>',
    'origin whose pages may call it from a browser, such as https://app.example.com; may be given several times, or with commas',
  )
    .env(VARIABLE)
    .argParser(collectOrigins);
}

function collectOrigins(text: string, before: string[] = []): string[] {
  const origins = checked(text).split(',');
  return [...before, ...origins.map((origin) => origin.trim()).filter((origin) => origin !== '')];
}
