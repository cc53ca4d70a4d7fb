import type { Call } from '@mooring/contract/kit/call';
import { type ComponentType, createContext } from 'react';
import type { TextKey } from '../ui/words.ts';

/** In this order beside the settings. */
export const settingsGroups = ['general', 'messages', 'signIn', 'connections'] as const;

/** A part of the system settings that another domain brings; collected in app/routes.ts. */
export interface SettingsTab {
  readonly key: string;
  readonly title: TextKey;
  readonly group: (typeof settingsGroups)[number];
  /** The beginning of its texts' keys: the search finds a setting by its words. */
  readonly texts: string;
  /** Shown to those who may make this call. */
  readonly call: Call;
  readonly load: () => Promise<ComponentType>;
}

/** What the part that is shown is called: a form in it says by that name what it has saved. */
export const OpenTab = createContext<TextKey>('settings.title');
