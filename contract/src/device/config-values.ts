import { z } from 'zod';

/** What a setting may be called: wifi.ssid. */
export const CONFIG_NAME = /^[a-z][A-Za-z0-9.]{0,63}$/;
export const MOST_CONFIG = 100;
export const MOST_CONFIG_TEXT = 1000;

/** The desired state of a terminal: settings by their names, up to 100. The terminal says which it takes. */
export const ConfigValues = z
  .record(z.string().regex(CONFIG_NAME, 'invalid.property'), z.union([z.string().max(MOST_CONFIG_TEXT), z.number(), z.boolean()]))
  .refine((values) => Object.keys(values).length <= MOST_CONFIG, 'invalid.properties');
export type ConfigValues = z.infer<typeof ConfigValues>;

/** What is changed of them: the others stay. */
export const configChange = {
  values: ConfigValues.default({}),
  remove: z.array(z.string().trim().regex(CONFIG_NAME, 'invalid.property')).max(MOST_CONFIG).default([]),
};
