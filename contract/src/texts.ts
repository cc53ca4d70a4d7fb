import { menuTexts } from './access/menus.texts.ts';
import { deviceTexts } from './device/device.texts.ts';
import { rolloutTexts } from './engines/rollout/rollout.texts.ts';
import { faultTexts } from './faults.texts.ts';
import { firmwareTexts } from './firmware/firmware.texts.ts';
import { productTexts } from './product/product.texts.ts';

/** Text tables by dataType, as the server sends them (specification, section 7, "Language content"). */
export const textTables = { menu: menuTexts, fault: faultTexts, device: deviceTexts, product: productTexts, rollout: rolloutTexts, firmware: firmwareTexts } as const;

type Tables = typeof textTables;
type KeyOf<T> = T extends unknown ? keyof T : never;
/** Every text key: a typo doesn't compile. */
export type TextKey = KeyOf<Tables[keyof Tables]> & string;
