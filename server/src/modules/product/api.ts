export { fitsAt, keepShares, keepSharesOf, unusableOf, unusableTo, usableAt } from './usable-at.ts';
