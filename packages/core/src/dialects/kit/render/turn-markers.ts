/** Control tokens that open or close a turn in common chat templates. In foreign text they could end it early. */
export const turnMarkers: readonly string[] = [
  '<|im_start|>',
  '<|im_end|>',
  '<|endoftext|>',
  '<|start_header_id|>',
  '<|end_header_id|>',
  '<|eot_id|>',
];
