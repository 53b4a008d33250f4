/** The filters of the list of reviews, in its address. */
export interface ReviewsSearch {
  q?: string;
  state?: 'rejected';
}

export const reviewsSearch = ({ q, state }: Record<string, unknown>): ReviewsSearch => ({
  ...(typeof q === 'string' && q.trim() !== '' && { q: q.slice(0, 200) }),
  ...(state === 'rejected' && { state }),
});
