/** A fault in a developer's description of a payload or a result: the place, and the right form. Reads as the rest of a sentence that names it. */
export class DescriptionFault extends Error {}
