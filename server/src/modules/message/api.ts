export { type Raised, raise, type Saying } from './raise.ts';
