/** Mermaid drawings as SVG, made when the site is built: no script in the browser, and one drawing for both themes. */
import { renderMermaidSVG } from 'beautiful-mermaid'

/**
 * The colors of the drawings, from variables of the theme. The style that a drawing brings along loads a font from elsewhere, and Vue
 * accepts no style within a page.
 */
export const drawingStyle = `
.drawing { margin: 16px 0; overflow-x: auto; }
.drawing svg {
  --bg: var(--vp-c-bg); --fg: var(--vp-c-text-1);
  --_text: var(--fg); --_text-sec: var(--vp-c-text-2); --_text-muted: var(--vp-c-text-2); --_text-faint: var(--vp-c-text-2);
  --_line: color-mix(in srgb, var(--fg) 55%, var(--bg)); --_arrow: color-mix(in srgb, var(--fg) 85%, var(--bg));
  --_node-fill: var(--vp-c-bg-soft); --_node-stroke: color-mix(in srgb, var(--fg) 30%, var(--bg)); --_group-fill: var(--bg);
  --_group-hdr: color-mix(in srgb, var(--fg) 5%, var(--bg)); --_inner-stroke: color-mix(in srgb, var(--fg) 12%, var(--bg));
  --_key-badge: color-mix(in srgb, var(--fg) 10%, var(--bg));
  display: block; min-width: 540px; max-width: 100%; height: auto; margin: 0 auto; font-family: var(--vp-font-family-base);
}
.drawing svg text { font-weight: 400; }
`

/** @param source of a code block @returns HTML; keyboard users can scroll what does not fit, and texts stay texts for a screen reader */
export function drawingOf(source: string): string {
  const svg = renderMermaidSVG(source, { transparent: true })
    .replace(/<style>[\s\S]*?<\/style>/, '')
    .replace(/<svg ([^>]*?) style="[^"]*"/, '<svg $1')
  return `<div class="drawing" role="group" aria-label="Diagram" tabindex="0" v-pre>${svg}</div>\n`
}
