export { keepShares, usableAt } from './usable-at.ts';
