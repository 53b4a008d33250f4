import type { AlertKind } from '#sdk/protocol/alerts';
import type { FoundAlert } from '../store/alert-store';
import type { AlertContext } from './alert-context';

/** Finds the faults of one kind. */
export interface AlertCheck {
  kind: AlertKind;
  check(context: AlertContext): Promise<FoundAlert[]>;
}
