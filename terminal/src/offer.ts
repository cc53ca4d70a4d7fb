import type { DownRead } from '@mooring/contract/device/messages';

export type Offer = DownRead['offer'];
/** One that is downloaded and installed. */
export type PackageOffer = Offer & { [K in 'package' | 'releaseKey' | 'url']-?: NonNullable<Offer[K]> };
/** One that sets something. */
export type SettingsOffer = Offer & { settings: NonNullable<Offer['settings']> };

export const isPackage = (offer: Offer): offer is PackageOffer =>
  offer.package !== undefined && offer.releaseKey !== undefined && offer.url !== undefined;
/** One that removes an app. */
export type UninstallOffer = Offer & { uninstall: NonNullable<Offer['uninstall']> };
export const isUninstall = (offer: Offer): offer is UninstallOffer => offer.uninstall !== undefined;
export const isSettings = (offer: Offer): offer is SettingsOffer => offer.settings !== undefined;
