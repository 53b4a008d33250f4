/** A connection that makes one call at a time. Resolves with undefined for a correct answer, otherwise with the error. */
export interface Line {
  call(): Promise<string | undefined>;
  close(): Promise<void>;
}
