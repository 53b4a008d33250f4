/** The setup of the playground, kept while its tab is open: the key of a model is in no other place of the browser, and is not sent to the service. */
import type { ConversationSetup } from './conversation/conversation';
import type { OwnModel } from './model/model-choice';

/** The values of the form: both models, also while another one is chosen. */
export interface SetupDraft extends Omit<ConversationSetup, 'model' | 'keyId'> {
  keyId: string | undefined;
  kind: 'script' | 'service' | 'own';
  own: Omit<OwnModel, 'kind'>;
  second: Omit<OwnModel, 'kind'>;
  compares: boolean;
}

const PLACE = 'svc-playground';

const NO_MODEL = { url: '', key: '', model: '' };

const NEW_SETUP: SetupDraft = {
  keyId: undefined,
  kind: 'script',
  own: NO_MODEL,
  second: NO_MODEL,
  compares: false,
  system: '',
  budget: '0',
  askBeforeDestructive: true,
  code: false,
  seesImages: true,
};

export function readSetup(): SetupDraft {
  try {
    return { ...NEW_SETUP, ...(JSON.parse(sessionStorage.getItem(PLACE) ?? '{}') as Partial<SetupDraft>) };
  } catch {
    return NEW_SETUP;
  }
}

export function keepSetup(setup: SetupDraft): void {
  sessionStorage.setItem(PLACE, JSON.stringify(setup));
}
