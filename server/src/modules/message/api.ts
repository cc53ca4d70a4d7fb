export { type Raised, raise } from './raise.ts';
