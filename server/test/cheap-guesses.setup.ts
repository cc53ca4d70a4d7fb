import { afterAll, expect } from 'vitest';
import { hashPassword, makeGuessesCheap } from '../src/modules/auth/cheap-guesses.factory.ts';

// What guesses cost in earnest is asked by `costs.test.ts`, and by whoever makes them dear for a while.
makeGuessesCheap();

// Files that follow in this process have the same modules: they would pay for whoever left guesses dear.
afterAll(async () => {
  expect(await hashPassword('Any.Word77')).toContain('m=64,t=1,p=1');
});
