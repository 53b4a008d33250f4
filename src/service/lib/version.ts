/** The version of this package, for the operator's eyes. */
import { version as packageVersion } from '../../../package.json';

export const version: string = packageVersion;
