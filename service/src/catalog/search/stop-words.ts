/**
 * Words that do not describe what an action does: function words of English, and the courtesies around a request ("could you please
 * help me"). Lower case, as the tokenizer splits them: `don't` arrives as `don` and `t`. Verbs such as "find" or "send" stay.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `
  a an the this that these those some any each every either neither both all such own same other another
  i me my mine myself we our ours ourselves you your yours yourself he him his she her hers it its itself they them their theirs
  who whom whose which what when where why how whether
  and or but nor so yet if then else than as because while until though although unless
  of at by for with about against between into through during before after above below to from in out on off over under again
  further once here there upon within without via per among toward towards onto across along around
  am is are was were be been being do does did doing done have has had having
  can could will would shall should may might must cannot ought
  not no yes too very just only also even still already ever never quite rather really much many more most few less least several
  s t d m ll re ve don didn doesn isn aren wasn weren won wouldn couldn shouldn hasn haven hadn ain
  please pls kindly thanks thank hello hi hey ok okay well
  want wants wanted need needs needed like wish hope hoping interested looking trying try let lets going gonna wanna
  help helps helping tell know knowing think wondering curious
  something anything everything someone anyone thing things stuff way ways lot lots bit kind
  im ive youre theyre dont doesnt cant wont
  etc eg ie
  `
    .trim()
    .split(/\s+/),
);
