/** Texts that the store keeps sealed, such as the payload of a call that runs later. */

/** A text in the store, and the id of the key that opens it. */
export interface KeptText {
  sealed: string;
  sealedBy: string;
}

export interface KeptTexts {
  /** @param place the row of the text: in another one it does not open */
  seal(text: string, place: readonly string[]): KeptText;
  /** Undefined for a key that the service does not have any more, for another place, and for a text that was changed. */
  open(text: KeptText, place: readonly string[]): string | undefined;
}
