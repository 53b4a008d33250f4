/** The effects that rules would have had on calls of the past. */
import type { Rule } from '#sdk/protocol/rules';
import { api } from './request';

/** Days of records that the service counts, at most. */
export const PREVIEW_DAYS = 30;

/** @param key id of the key whose calls count; undefined for those of all keys */
export const fetchRulePreview = (rules: Rule[], key: string | undefined) =>
  api('POST /v1/rules/preview', { body: { rules, ...(key !== undefined && { key }), days: PREVIEW_DAYS } });
