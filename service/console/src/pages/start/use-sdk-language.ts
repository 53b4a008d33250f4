import { useLocalStorage } from '@mantine/hooks';
import { SDK_LANGUAGES, type SdkLanguage } from '../../../../src/snippets/snippet';

/** The language of the snippets that the person chose last, in this browser. */
export function useSdkLanguage(): [SdkLanguage, (chosen: SdkLanguage) => void] {
  const [stored, store] = useLocalStorage<string>({ key: 'svc-sdk-language', defaultValue: 'typescript', getInitialValueInEffect: false });
  return [isSdkLanguage(stored) ? stored : 'typescript', store];
}

function isSdkLanguage(text: string): text is SdkLanguage {
  return Object.hasOwn(SDK_LANGUAGES, text);
}
