import { Page } from '../../parts/page';

export function SignInPage() {
  return <Page title="SignIn">{null}</Page>;
}
