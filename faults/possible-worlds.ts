import { missingPrograms } from '../server/src/modules/device/device.factory.ts';
import { type WorldKind, worldKinds } from './world/world.ts';

/** The worlds that this machine can make; what is missing is said. */
export function possibleWorlds(print: (line: string) => void): readonly WorldKind[] {
  if (missingPrograms('mosquitto').length === 0) return worldKinds;
  print('without the world of two servers: mosquitto is not installed');
  return ['alone'];
}
