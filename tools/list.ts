import { allCalls } from '@mooring/contract/index';
import { declaredRoutes } from './declared/routes.ts';
import { allLives } from './generated/all-lives.ts';
import { sourceFiles } from './guards/source-files.ts';
import { commandOf } from './suite/command.ts';

const lists: Record<string, () => Promise<object[]>> = {
  routes: async () => declaredRoutes(sourceFiles()),
  calls: async () => allCalls.map(({ path, method, domain, can, platform }) => ({ path, method, domain, permission: can, platform })),
  lives: async () =>
    (await allLives()).map(({ domain, life }) => ({
      name: life.name,
      domain,
      initial: life.initial,
      states: Object.fromEntries(Object.entries(life.states).map(([state, { code }]) => [state, code])),
      events: life.events,
    })),
};

// What the code declares, as JSON: npm run --silent list -- calls
const [wanted = ''] = commandOf('list').names;
console.log(JSON.stringify(await lists[wanted]?.(), null, 2));
