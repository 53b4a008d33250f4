import { SvcError } from '#sdk/protocol/errors';

/** A version of `/v1/resolve`, or `none`. */
export const ACTION_VERSION = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * The value of `Svc-Action-Version`.
 *
 * @throws SvcError INVALID_REQUEST
 */
export function readActionVersion(value: string | undefined): string | undefined {
  if (value === undefined || ACTION_VERSION.test(value)) return value;
  throw new SvcError('INVALID_REQUEST', 'Svc-Action-Version must be a `version` that /v1/resolve gave, or "none"');
}
