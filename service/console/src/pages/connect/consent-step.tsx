/** The step that all clients share. */
export function ConsentStep() {
  return (
    <>
      Your browser shows this console: the app, where it is, and your account. Choose what it may use, and select <b>Allow</b>.
    </>
  );
}
