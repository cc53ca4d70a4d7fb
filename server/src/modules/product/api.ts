export { productRows } from './product.queries.ts';
