/** The query of the list of toolkits. A value that cannot be read is left out: links of others must not break a page. */
export interface CatalogueQuery {
  q: string;
  category: string | undefined;
  price: 'free' | 'paid' | undefined;
  isOnline: boolean;
  isVerified: boolean;
  sort: 'use' | 'name' | 'new';
  /** 1 for the first. */
  page: number;
}

const MAX_QUERY_CHARS = 300;
const MAX_PAGE = 10_000;

export function readListQuery(search: URLSearchParams): CatalogueQuery {
  const price = search.get('price');
  const sort = search.get('sort');
  const page = Number(search.get('page') ?? 1);
  const category = search.get('category') ?? '';
  return {
    q: (search.get('q') ?? '').slice(0, MAX_QUERY_CHARS).trim(),
    category: /^[a-z]{1,40}$/.test(category) ? category : undefined,
    price: price === 'free' || price === 'paid' ? price : undefined,
    isOnline: search.get('online') === '1',
    isVerified: search.get('verified') === '1',
    sort: sort === 'name' || sort === 'new' ? sort : 'use',
    page: Number.isInteger(page) && page >= 1 && page <= MAX_PAGE ? page : 1,
  };
}

/** The path of the list; filters with their default values are left out. */
export function listPath({ q, category, price, isOnline, isVerified, sort, page }: CatalogueQuery): string {
  const search = new URLSearchParams();
  if (q !== '') search.set('q', q);
  if (category !== undefined) search.set('category', category);
  if (price !== undefined) search.set('price', price);
  if (isOnline) search.set('online', '1');
  if (isVerified) search.set('verified', '1');
  if (sort !== 'use') search.set('sort', sort);
  if (page > 1) search.set('page', String(page));
  return `/catalogue${search.size === 0 ? '' : `?${search}`}`;
}
