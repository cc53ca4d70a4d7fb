export const galleryPage = { View: () => null };
