export {
  fitsAt,
  isUsableAt,
  keepShares,
  keepSharesOf,
  sharedWith,
  type UsablePlaces,
  unusableOf,
  unusableTo,
  usableAt,
} from './usable-at.ts';
