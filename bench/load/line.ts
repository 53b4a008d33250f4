/** What calls, each time once: undefined for a good answer, else what was wrong with it. */
export interface Line {
  call(): Promise<string | undefined>;
  close(): Promise<void>;
}
