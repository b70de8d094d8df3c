/** How sheets slide in from the side of the window, and out again when their dialog closes them. */

export const sheetBackdrop =
  'fixed inset-0 z-30 bg-scrim transition-opacity duration-180 ease-out starting:opacity-0 data-ending-style:opacity-0'

const sliding = 'transition-[translate] duration-180 ease-out'
export const sheetAtStart = `${sliding} starting:-translate-x-full data-ending-style:-translate-x-full rtl:starting:translate-x-full rtl:data-ending-style:translate-x-full`
export const sheetAtEnd = `${sliding} starting:translate-x-full data-ending-style:translate-x-full rtl:starting:-translate-x-full rtl:data-ending-style:-translate-x-full`
