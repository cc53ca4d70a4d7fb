import type { Call } from '@mooring/contract/kit/call';
import type { ComponentType } from 'react';
import type { TextKey } from '../ui/words.ts';

/** A part of the system settings that another domain brings; collected in app/routes.ts. */
export interface SettingsTab {
  readonly key: string;
  readonly title: TextKey;
  /** Shown to those who may make this call. */
  readonly call: Call;
  readonly load: () => Promise<ComponentType>;
}
