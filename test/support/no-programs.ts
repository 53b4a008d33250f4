import type { ProgramName } from '../../scripts/programs.ts';

/** An environment in which nothing is installed. */
export const NOWHERE = {
  PATH: '',
  SVC_POSTGRES: '/nowhere',
  SVC_NATS_SERVER: '/nowhere',
  SVC_CHROMIUM: '/nowhere',
  SVC_OPENSSL: '/nowhere',
  SVC_PNGQUANT: '/nowhere',
  SVC_SCRIPT: '/nowhere',
  SVC_PYTHON_VENV: '/nowhere',
  SVC_CARGO: '/nowhere',
};

/** The output there. */
export const MISSING_LINES: Record<ProgramName, string> = {
  postgres: 'PostgreSQL is not installed: apt-get install postgresql, or name it in SVC_POSTGRES',
  nats: 'nats-server is not installed: apt-get install nats-server, or name it in SVC_NATS_SERVER',
  chromium: 'Chromium is not installed: apt-get install chromium-headless-shell, or name it in SVC_CHROMIUM',
  openssl: 'OpenSSL is not installed: apt-get install openssl, or name it in SVC_OPENSSL',
  pngquant: 'pngquant is not installed: apt-get install pngquant, or name it in SVC_PNGQUANT',
  script: 'script of util-linux is not installed: apt-get install bsdutils, or name it in SVC_SCRIPT',
  python: 'The environment of python/ is not installed: npm run check:python, or name it in SVC_PYTHON_VENV',
  cargo: 'Rust is not installed: rustup toolchain install stable, or name it in SVC_CARGO',
};
