/** Questions that no model can answer by itself, each with what a right answer holds. */
export interface Question {
  text: string;
  fact: RegExp;
}

export const QUESTIONS: Question[] = [
  { text: 'How many minutes does a run of 26.2 miles take at 9.5 km per hour?', fact: /\b266\b/ },
  {
    text: 'A call begins on 2026-03-10 at 15:00 in New York. What time is it then in Berlin?',
    fact: /20[:.]00|\b8(:00)?\s*p\.?m/i,
  },
  {
    text: 'Which 3 customers of the sample shop spent the most in 2025? Give me place, name and euros as CSV.',
    fact: /Bruno Brook.*Lena Lund.*Olga Brook/s,
  },
];

/** Takes twelve calls, which a program makes in one turn of the model: for models that have `run_code`. */
export const PROGRAM_QUESTION: Question = {
  text: 'Which product was the best seller of the sample shop in each month of 2025?',
  fact: /Moss cup.*Moss teapot.*Sand teapot.*Moss cup.*Moss teapot/s,
};
