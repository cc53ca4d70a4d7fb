export { type Raised, raise, type Saying, withdrawRaised } from './raise.ts';
