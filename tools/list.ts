import { allCalls } from '@mooring/contract/index';
import { declaredRoutes } from './declared/routes.ts';
import { allMachines } from './generated/all-state-machines.ts';
import { sourceFiles } from './guards/source-files.ts';
import { commandOf } from './suite/command.ts';

const lists: Record<string, () => Promise<object[]>> = {
  routes: async () => declaredRoutes(sourceFiles()),
  calls: async () => allCalls.map(({ path, method, domain, can, platform }) => ({ path, method, domain, permission: can, platform })),
  machines: async () =>
    (await allMachines()).map(({ domain, machine }) => ({
      name: machine.name,
      domain,
      initial: machine.initial,
      states: Object.fromEntries(Object.entries(machine.states).map(([state, { code }]) => [state, code])),
      events: machine.events,
    })),
};

// What the code declares, as JSON: npm run --silent list -- calls
const [wanted = ''] = commandOf('list').names;
console.log(JSON.stringify(await lists[wanted]?.(), null, 2));
